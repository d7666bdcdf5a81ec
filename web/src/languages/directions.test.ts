import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');
/** Styles of pages that guests read in languages from right to left. */
const GUESTS = [
  'ui/{base,button,dialog,field,form-page,message-page,notice,page-shell,prose,report-form,spinner,title-picture}*.css',
  'video/*.css',
  'gallery/**/*.css',
  'pages/{event,download,guest-gallery,join,release}/*.css',
  'languages/*.css',
];
const PHYSICAL =
  /^\s*(left|right|(margin|padding|border)-(left|right)[\w-]*|border-(top|bottom)-(left|right)-radius|float|text-align: (left|right)|transform-origin: (left|right))\b/;
/** The middle is the same from both sides. */
const MIDDLE = /^\s*left: 50%/;

it('is said by logical properties in all styles of guests', () => {
  const files = globSync(GUESTS, { cwd: SOURCE });
  expect(files.length).toBeGreaterThan(15);
  const found = files.flatMap((file) =>
    readFileSync(join(SOURCE, file), 'utf8')
      .split('\n')
      .flatMap((line, n) => (PHYSICAL.test(line) && !MIDDLE.test(line) ? [`${file}:${n + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
  for (const line of ['  left: 2px;', '  text-align: right;', '  border-left-color: red;']) expect(line).toMatch(PHYSICAL);
});
