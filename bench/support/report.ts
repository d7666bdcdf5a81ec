/** Prints one promise: the measured value, its limit, and whether it holds. Misses set the exit code. */
export function promise(name: string, value: number, relation: '>=' | '<=', limit: number, unit = ''): void {
  const holds = relation === '>=' ? value >= limit : value <= limit;
  if (!holds) process.exitCode = 1;
  console.log(`${holds ? 'holds ' : 'MISSED'}  ${name}: ${round(value)}${unit}  (${relation} ${round(limit)}${unit})`);
}

export function note(text: string): void {
  console.log(`        ${text}`);
}

export function round(value: number): number {
  return Number(value.toPrecision(3));
}
