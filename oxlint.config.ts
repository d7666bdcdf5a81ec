import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'oxlint';

/** The direction of imports (docs/architecture.md): each folder of the server, and what lies below it. */
const LAYERS: Record<string, string[]> = {
  lib: [],
  vault: ['lib'],
  storage: ['lib'],
  database: ['lib'],
  images: ['lib'],
  config: ['lib'],
  http: ['lib', 'vault', 'storage', 'database', 'images'],
  features: ['lib', 'vault', 'storage', 'database', 'images', 'http'],
};
const FEATURES = readdirSync(join(import.meta.dirname, 'server/src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** The composition root and what lies above it. */
const ROOTS = [
  '**/foundation.ts',
  '**/services.ts',
  '**/wiring.ts',
  '**/trouble.ts',
  '**/start-lines.ts',
  '**/app.ts',
  '**/main.ts',
  '**/cli.ts',
  '**/cli/**',
];

/** Functions of node:crypto that make or open secrets; also under its other names. */
const CIPHERS = [
  'default',
  'createCipheriv',
  'createDecipheriv',
  'hkdf',
  'hkdfSync',
  'argon2',
  'argon2Sync',
  'scrypt',
  'scryptSync',
  'pbkdf2',
  'pbkdf2Sync',
  'diffieHellman',
  'createECDH',
  'encapsulate',
  'decapsulate',
  'generateKeyPair',
  'generateKeyPairSync',
  'createPrivateKey',
  'publicEncrypt',
  'privateDecrypt',
  'webcrypto',
  'subtle',
];

interface Pattern {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

const NO_PAGES: Pattern = { group: ['@feierbild/web/**', '**/web/src/**'], message: 'The server never imports pages.' };
const NO_TEST_PARTS: Pattern = {
  group: ['**/testing.ts', '**/testing/**', '**/*.test.ts'],
  message: 'Parts of tests are for tests.',
};
const NO_SERVER: Pattern = {
  group: ['@feierbild/server/**', '**/server/src/**', 'fastify', 'kysely'],
  message: 'Pages never import the server.',
};
const SCHEMAS_AS_TYPES: Pattern = {
  group: [
    '@feierbild/contract/entities.ts',
    '@feierbild/contract/event-form.ts',
    '@feierbild/contract/event-table-schemas.ts',
    '@feierbild/contract/contract.ts',
    '@feierbild/contract/calls/*',
    'zod',
  ],
  allowTypeImports: true,
  message: 'Schemas are types for pages: import type, so that no zod reaches a phone.',
};
const NO_BOOK: Pattern = { group: ['**/ui-book/**'], message: 'The page of all components is for development: no page knows it.' };
/** Rules for all pages and their parts. */
const PAGES = [NO_SERVER, SCHEMAS_AS_TYPES, NO_BOOK];

/** The rule for some files; where two fit, the later one alone holds. */
function imports(files: string[], patterns: Pattern[], { ciphers = true }: { ciphers?: boolean } = {}) {
  const paths = ['node:crypto', 'crypto'].map((name) => ({
    name,
    importNames: CIPHERS,
    message: 'Only the vault handles keys and ciphers.',
  }));
  return { files, rules: { 'no-restricted-imports': ['error', { patterns, ...(ciphers ? {} : { paths }) }] as ['error', object] } };
}

/** A folder of the server must not import what does not lie below it. */
function layer(name: string, below: string[]) {
  const above = Object.keys(LAYERS).filter((other) => other !== name && !below.includes(other));
  return imports(
    [`server/src/${name}/**/*.ts`],
    [
      {
        group: [...above.map((folder) => `**/${folder}/**`), ...ROOTS],
        message: `${name} lies below these or beside them: imports point down only (docs/architecture.md).`,
      },
      NO_PAGES,
      NO_TEST_PARTS,
    ],
    { ciphers: name === 'vault' },
  );
}

/** A feature uses another feature's rules, not its tables and routes. */
function feature(name: string) {
  const others = FEATURES.filter((other) => other !== name);
  return imports(
    [`server/src/features/${name}/**/*.ts`],
    [
      { group: ['**/config/**', ...ROOTS], message: 'Features lie below the composition root.' },
      {
        group: others.flatMap((other) => [`../${other}/*.ts`, `!../${other}/${other}.ts`]),
        allowTypeImports: true,
        message: 'Of another feature import its main file only (others as types).',
      },
      { group: ['../*/*.store.ts', '../*/*.routes.ts'], message: 'A feature’s tables and routes are its own.' },
      NO_PAGES,
      NO_TEST_PARTS,
    ],
    { ciphers: false },
  );
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'jsx-a11y'],
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist/**', 'node_modules/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    // Loading from an effect sets state only once the answer is there.
    'react/set-state-in-effect': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/unbound-method': 'off',
    'typescript/require-array-sort-compare': 'off',
    'unicorn/no-thenable': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'require-yield': 'off',
  },
  overrides: [
    imports(['server/src/main.ts'], [NO_PAGES, NO_TEST_PARTS], { ciphers: false }),
    imports(
      ['server/src/cli.ts', 'server/src/cli/**/*.ts'],
      [{ group: ['**/app.ts', '**/main.ts'], message: 'Commands serve nothing.' }, NO_PAGES, NO_TEST_PARTS],
      {
        ciphers: false,
      },
    ),
    imports(['server/src/app.ts'], [{ group: ['**/main.ts'], message: 'main lies above.' }, NO_PAGES, NO_TEST_PARTS], { ciphers: false }),
    imports(
      ['server/src/services.ts'],
      [{ group: ['**/app.ts', '**/main.ts'], message: 'main and app lie above.' }, NO_PAGES, NO_TEST_PARTS],
      { ciphers: false },
    ),
    imports(
      ['server/src/wiring.ts'],
      [{ group: ['**/app.ts', '**/main.ts', '**/services.ts'], message: 'main, app and services lie above.' }, NO_PAGES, NO_TEST_PARTS],
      { ciphers: false },
    ),
    ...Object.entries(LAYERS).map(([name, below]) => layer(name, below)),
    ...FEATURES.map(feature),
    imports(
      ['contract/src/**/*.ts'],
      [
        {
          group: ['node:*', '@feierbild/*', '**/server/**', '**/web/**', 'fastify', 'kysely', 'react'],
          message: 'The contract has no I/O and knows no side.',
        },
      ],
    ),
    imports(['web/src/**/*.{ts,tsx}'], PAGES),
    imports(['web/ui-book/**/*.{ts,tsx}'], [NO_SERVER, SCHEMAS_AS_TYPES]),
    imports(
      ['web/src/pages/*/*.{ts,tsx}'],
      [...PAGES, { group: ['../[a-z]*/**'], message: 'A page imports no other page: share through ui/ or lib/.' }],
    ),
    imports(
      ['web/src/pages/*/*/**/*.{ts,tsx}'],
      [
        ...PAGES,
        {
          group: ['../[a-z]*/**', '../../[a-z]*/**'],
          message: 'A room of a page imports no other room and no other page: the page joins its rooms.',
        },
      ],
    ),
    imports(['web/src/{ui,lib,api,gallery}/**/*.{ts,tsx}'], [...PAGES, { group: ['**/pages/**'], message: 'Shared parts know no page.' }]),
    {
      files: ['**/*.test.ts', '**/testing.ts', '**/testing/**'],
      rules: { 'no-restricted-imports': 'off' },
    },
  ],
});
