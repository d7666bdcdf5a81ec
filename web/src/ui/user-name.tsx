/** Tells password managers whose password a form sets. They skip `hidden` fields, so this one is only out of sight. */
export function UserName({ value }: { value: string }) {
  return (
    <input className="visually-hidden" name="username" autoComplete="username" value={value} readOnly tabIndex={-1} aria-hidden="true" />
  );
}
