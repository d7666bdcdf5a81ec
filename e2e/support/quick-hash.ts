// Loaded into the product's processes before everything else (`node --import`): the hash of a password costs nothing. The real
// one would take a tenth of all tests' time; what it costs and who waits for it is proved in server/src/vault and features/limits.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;
const quick: typeof argon2 = (algorithm, parameters, callback) => argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, callback);
Object.assign(crypto, { argon2: quick });
syncBuiltinESMExports();
