/** By which the server's log is searched; nothing where there is none. */
export function RequestIds({ ids }: { ids: readonly string[] }) {
  return ids.length > 0 && `(${ids.length === 1 ? 'Kennung' : 'Kennungen'} ${ids.join(', ')})`;
}
