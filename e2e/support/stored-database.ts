/** Data of an earlier release besides its database (e2e/stored, made by tools/store-database.ts). */
export interface StoredParty {
  admin: { username: string; password: string };
  host: { username: string; password: string };
  user_upload_password: string;
  fotobox_upload_password: string;
  /** The guest's device id. */
  device: string;
  /** SHA-256 of the guest's photo, hex. */
  sha256: string;
  /** The photo store's files by their path, in base64. */
  files: Record<string, string>;
}
