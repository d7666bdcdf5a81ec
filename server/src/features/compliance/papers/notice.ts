import type { NoticeLanguage } from '@feierbild/contract/paper-names.ts';
import { NOTICE_WORDS } from './notice-words.ts';
import { contactLine, operatorLine, type PaperText } from './paper.ts';

const BLANK = '____________________';

/** The notice at the door in a language of guests: the same sentences on the same checks. */
export const noticeIn =
  (language: NoticeLanguage): PaperText =>
  (known) => {
    const say = NOTICE_WORDS[language];
    const { dpo } = known.business.privacy;
    return [
      {
        title: say.title,
        lines: [
          [`${say.controller}: ${BLANK}`, 'Art. 13 Abs. 1 lit. a DSGVO', 'business'],
          [say.voluntary, 'Art. 13 Abs. 1 lit. c, Abs. 2 lit. e DSGVO', 'business'],
          [say.basis, 'Art. 13 Abs. 1 lit. c und d DSGVO', 'business'],
          [say.recipients, 'Art. 13 Abs. 1 lit. e DSGVO', 'business'],
          [say.deleted, 'Art. 13 Abs. 2 lit. a DSGVO', 'cleaning'],
          [say.backups, 'Art. 13 Abs. 2 lit. a DSGVO', 'old-backups'],
          [say.sealed, 'Art. 32 Abs. 1 lit. a DSGVO', 'sealing', 'https'],
          [say.eea, 'Art. 13 Abs. 1 lit. f DSGVO', 'eea', 'processors'],
          [say.wishes, 'Art. 13 Abs. 2 lit. b DSGVO', 'business'],
          [say.rights, 'Art. 13 Abs. 2 lit. b und d DSGVO', 'business'],
          [`${say.operator}: ${operatorLine(known)}, ${contactLine(known)}`, 'Art. 13 Abs. 1 lit. a und e DSGVO', 'business'],
          ...(dpo ? [[`${say.dpo}: ${dpo}`, 'Art. 13 Abs. 1 lit. b DSGVO', 'business'] as const] : []),
          [say.more, 'Art. 12 Abs. 1 DSGVO', 'business'],
        ],
      },
    ];
  };
