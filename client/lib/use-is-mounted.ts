import { useEffect, useRef } from 'react';

/** Whether the component is still on the page: an answer that comes after someone left must not lead them elsewhere. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return () => isMounted.current;
}
