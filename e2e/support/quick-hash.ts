// Loaded into the product's processes before everything else (`node --import`), to make password hashes cheap. The real hash would take
// a tenth of all tests' time; its cost, and the waiting for it, are tested in server/src/vault and features/limits.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;
const quick: typeof argon2 = (algorithm, parameters, callback) => argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, callback);
Object.assign(crypto, { argon2: quick });
syncBuiltinESMExports();
