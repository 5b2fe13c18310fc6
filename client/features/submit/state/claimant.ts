/** Whom the claims are for, and by whose right they are submitted. */
export interface Claimant {
  character_name: string;
  member_type: string;
  /** null: an admin submits. */
  access_key: string | null;
}
