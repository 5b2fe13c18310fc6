import { DomainError } from '../../shared/errors.ts';
import { liveRoomOf, type Room } from '../../shared/kinds.ts';
import { type AdminRole, type Capability, may } from '../../shared/rules/roles.ts';
import type { Db, Tx } from '../db/database.ts';

export interface Admin {
  role: 'admin';
  admin_id: number;
  username: string;
  admin_role: AdminRole;
  token_hash: string;
}
export interface Member {
  role: 'member';
  access_key_id: number;
  character_name: string;
  character_key: string;
  member_type: string;
  /** Acts through the Discord app, which the activity log says. */
  via?: 'discord';
}
/** A request without a credential. */
export interface Visitor {
  role: 'visitor';
}
export type Reader = Admin | Member | Visitor;

/** A member with the key they showed, so that a write can look the key up again in its transaction. */
export interface KeyHolder extends Member {
  access_key: string;
}
/** An admin acts for any character, a member for their own. */
export type Caller = Admin | CallingMember;
export type CallingMember = Pick<KeyHolder, 'role' | 'access_key' | 'via'>;

/** The credentials that a request or a handshake carries. */
export interface Credentials {
  /** `access_key` in the body. */
  body_key: string | null;
  /** The admin's bearer token. */
  token: string | null;
  /** `X-Access-Key`, or `access_key` of a handshake. */
  key: string | null;
}

/** Finds out who calls. Declared here and implemented in `auth`, which depends on this folder. */
export interface Authenticator {
  /**
   * The caller by the one credential that counts: the access key in the body, else the admin's token, else the key in a header. If that
   * one is refused, no other is tried.
   * @param address where the request comes from; wrong keys are counted against it
   * @throws DomainError session.expired, session.invalidKey, session.keyRevoked, session.banned or request.tooManyTries
   */
  authenticate: (credentials: Credentials, address: string) => Promise<Admin | KeyHolder | Visitor>;
  /**
   * Checks, in the transaction of a write, that an admin's session is still open and that the role still has this capability.
   * @throws DomainError session.expired or session.notAllowed
   */
  authorizeAgain: (
    tx: Db | Tx,
    admin: Pick<Admin, 'token_hash'>,
    capability: Capability,
  ) => Promise<void>;
  /**
   * Counts a wrong token of a link. Tokens are too long to be guessed, so right ones are never refused; this only keeps guessing cheap.
   * @throws DomainError request.tooManyTries past the limit, instead of the caller's own refusal
   */
  countWrongToken: (address: string) => Promise<void>;
}

/** @throws DomainError session.notAllowed */
export function requireCapability(admin: Admin, capability: Capability): Admin {
  if (!may(admin.admin_role, capability)) throw new DomainError('session.notAllowed');
  return admin;
}

/** The room of a caller's live connections, which decides what they see of the board. */
export const roomOf = (caller: Reader): Room =>
  liveRoomOf(caller.role === 'admin' ? caller.admin_role : null);
