import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');
/** Style sheets of pages that guests read in right-to-left languages. */
const GUESTS = [
  'ui/{base,button,dialog,field,form-page,message-page,notice,page-shell,prose,report-form,spinner,title-picture}*.css',
  'video/*.css',
  'gallery/**/*.css',
  'pages/{event,download,guest-gallery,join,release}/*.css',
  'languages/*.css',
];
const PHYSICAL =
  /^\s*(left|right|(margin|padding|border)-(left|right)[\w-]*|border-(top|bottom)-(left|right)-radius|float|text-align: (left|right)|transform-origin: (left|right))\b/;
/** Properties that may have values for top, right, bottom and left. */
const FOUR_SIDES = /^\s*(margin|padding|inset|scroll-margin|scroll-padding): (.+);/;
/** Allowed physical positions: the middle is the same from both sides, and hosts print in German. */
const BOTH = /^\s*(left: 50%|inset: 0 auto auto 0)/;

it('is said by logical properties in all styles of guests', () => {
  const files = globSync(GUESTS, { cwd: SOURCE });
  expect(files.length).toBeGreaterThan(15);
  const found = files.flatMap((file) =>
    readFileSync(join(SOURCE, file), 'utf8')
      .split('\n')
      .flatMap((line, n) => (isPhysical(line) ? [`${file}:${n + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
  const physical = ['left: 2px;', 'text-align: right;', 'border-left-color: red;', 'margin: 0 1px 0 calc(1px + 2px);'];
  for (const line of physical) expect(isPhysical(`  ${line}`), line).toBe(true);
  for (const line of ['left: 50%;', 'margin: 0 auto;', 'padding: 1px 2px 3px 2px;']) expect(isPhysical(`  ${line}`), line).toBe(false);
});

function isPhysical(line: string): boolean {
  const sides = FOUR_SIDES.exec(line)?.[2]?.match(/\w*\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()]+/g) ?? [];
  return !BOTH.test(line) && (PHYSICAL.test(line) || (sides.length === 4 && sides[1] !== sides[3]));
}
