/** Under which the state of an event's ZIP is kept. */
export function zipKey(code: string): readonly string[] {
  return ['zip', code];
}
