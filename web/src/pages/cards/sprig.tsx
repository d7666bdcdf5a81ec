import styles from './cards.module.css';

/** Where leaves grow from the stem: distance from the middle, and the leaf's length. */
const LEAVES = [
  { x: 7, length: 7.5 },
  { x: 13, length: 7 },
  { x: 19, length: 6 },
  { x: 24.5, length: 5 },
];

/** Height of the bent stem above the middle, at a distance from it. */
const rise = (x: number): number => (x / 30) ** 2 * 5;

function leaf({ x, length }: { x: number; length: number }, side: 1 | -1): string {
  const y = -rise(x);
  const [dx, dy] = [length * 0.82, -side * length * 0.55];
  const tip = `${dx} ${dy}`;
  return `M${x} ${y}q${dx * 0.1} ${dy * 0.95} ${tip}q${-dx * 0.1} ${-dy * 0.95} ${-dx} ${-dy}m0 0l${dx * 0.7} ${dy * 0.7}`;
}

const BRANCH = [
  'M1.8 0Q16 -0.2 30 -5',
  ...LEAVES.flatMap((at) => [leaf(at, 1), leaf({ x: at.x + 2, length: at.length * 0.9 }, -1)]),
  'M30 -5q1.2 -3.2 4.4 -3.4q-0.8 3.2 -4.4 3.4',
].join('');

/** Two branches that meet in the middle, drawn in thin lines. */
export function Sprig() {
  return (
    <svg className={styles.sprig} viewBox="-36 -13 72 18" aria-hidden="true">
      <path d={BRANCH} />
      <path d={BRANCH} transform="scale(-1 1)" />
      <circle r="1.2" cy="0.1" />
    </svg>
  );
}
