import { adminAdd } from './admin-add.ts';
import { adminList } from './admin-list.ts';
import { adminPassword } from './admin-password.ts';
import { adminRecover } from './admin-recover.ts';
import { adminRemove } from './admin-remove.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { maintain } from './maintain.ts';
import { migrate } from './migrate.ts';
import { photoDelete } from './photo-delete.ts';
import { photoList } from './photo-list.ts';
import { recoveryCode } from './recovery-code.ts';
import { restore } from './restore.ts';
import { uploadsEnd } from './uploads-end.ts';
import { uploadsList } from './uploads-list.ts';
import { verify } from './verify.ts';

/** Every command, in the order of the help. A new one is a file and a line here. */
export const commands: Command[] = [
  adminList, //
  adminAdd,
  adminRemove,
  adminPassword,
  adminRecover,
  recoveryCode,
  maintain,
  verify,
  backup,
  restore,
  migrate,
  doctor,
  photoList,
  photoDelete,
  uploadsList,
  uploadsEnd,
  audit,
];
