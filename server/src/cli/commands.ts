import { adminCommands } from './admin.ts';
import { audit } from './audit.ts';
import { backupCommands } from './backup.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { maintain } from './maintain.ts';
import { migrate } from './migrate.ts';
import { photoCommands } from './photos.ts';
import { uploadCommands } from './uploads.ts';

/** Every command, in the order of the help. */
export const commands: Command[] = [
  ...adminCommands,
  maintain,
  ...backupCommands,
  migrate,
  doctor,
  ...photoCommands,
  ...uploadCommands,
  audit,
];
