import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { type To, useHref, useLinkClickHandler, useMatch, useResolvedPath } from 'react-router-dom';

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  to: To;
  replace?: boolean | undefined;
  state?: unknown;
}

/** A link to an address of the client. React Router's own also prefetches for its framework, 4 kB of the first load. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps): ReactNode {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, {
    state,
    ...(replace !== undefined && { replace }),
  });
  const press = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (!event.defaultPrevented) follow(event);
  };
  return <a {...rest} href={href} onClick={press} />;
}

interface NavLinkProps extends LinkProps {
  /** Whether only this address is the current page, and not those below it. */
  end?: boolean | undefined;
}

/** A link that says whether it leads to the current page. */
export function NavLink({ to, end = false, ...rest }: NavLinkProps): ReactNode {
  const { pathname } = useResolvedPath(to);
  const isHere = useMatch({ path: pathname, end }) !== null;
  return <Link {...rest} to={to} aria-current={isHere ? 'page' : undefined} />;
}
