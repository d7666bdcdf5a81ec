import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { useState } from 'react';
import { t } from '../../texts/guest/guest.ts';
import { later } from '../../texts/guest/later.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { idsOf, kindsOf } from './queue/selection.ts';
import { isMissing, isOwed, type Failure, type Item } from './item.ts';
import styles from './upload-form.module.css';

/** Number of file names that are shown. */
const SHOWN = 3;

type Failed = Item & { failure: Failure };
type Cause = keyof typeof later.failures.causes;
/** Codes that share the cause `closed`. All others are their own cause, or `other`. */
const CLOSED: readonly Failure['code'][] = ['event_inactive', 'upload_disabled', 'event_not_found'];
/** Causes whose sentence speaks of files instead of photos. */
const FILES: readonly Cause[] = ['too_large', 'not_a_photo', 'unreadable'];

function causeOf({ code }: Failure): Cause {
  if (CLOSED.includes(code)) return 'closed';
  return code in later.failures.causes ? (code as Cause) : 'other';
}

/** Returns the reason of a failure in one or two words. */
export function shortReason(failure: Failure): string {
  return later.failures.causes[causeOf(failure)].short;
}

interface UploadFailuresProps {
  items: readonly Item[];
  /** Whether waiting items are sent again by themselves. */
  waiting: boolean;
  /** Whether other photos were stored. */
  partly: boolean;
  onPassword(password: string): void;
}

/** Lists photos that were not stored, by cause and name, with advice. */
export function UploadFailures({ items, waiting, partly, onPassword }: UploadFailuresProps) {
  const failures = summariseFailures(items, waiting);
  if (failures.length === 0) return null;
  return (
    <>
      <Notice kind={partly ? 'warning' : 'error'}>
        {failures.map(({ text, advice, names, ids }) => (
          <span key={text + advice}>
            <strong>{text}</strong> {advice} {ids.length > 0 && t.status.requests(ids)}
            {names && <small> {names}</small>}
          </span>
        ))}
      </Notice>
      {failures.some(({ password }) => password) && <PasswordAgain onPassword={onPassword} />}
    </>
  );
}

/** Sums up failed files by cause, with advice; without files that are sent again by themselves, or have to be chosen again. */
export function summariseFailures(items: readonly Item[], waiting: boolean) {
  const failed = items.filter((item): item is Failed => item.failure !== null && !(waiting && isOwed(item)) && !isMissing(item));
  const { causes } = later.failures;
  return (Object.keys(causes) as Cause[]).flatMap((cause) => {
    const found = failed.filter(({ failure }) => causeOf(failure) === cause);
    const [first] = found;
    if (!first) return [];
    const { reason, advice } = causes[cause];
    const many = FILES.includes(cause) ? later.failures.files(found.length) : later.failures.counted(kindsOf(found));
    const names = found.slice(0, SHOWN).map(({ name }) => name);
    return {
      /** The file's name or the number of files, and the reason. */
      text: later.failures.because(found.length === 1 ? first.name : many, reason),
      advice,
      /** The first few names of several files. */
      names: found.length === 1 ? '' : later.failures.more(names, found.length - names.length),
      password: cause === 'wrong_event_password',
      /** Ids of requests, by which the operator finds in the log a failure that the page cannot explain. */
      ids: cause === 'other' ? idsOf(found.map(({ failure }) => failure)) : [],
    };
  });
}

/** Asks for the event's changed password. It does so on this page, because another one would lose the selection. */
function PasswordAgain({ onPassword }: { onPassword(password: string): void }) {
  const [password, setPassword] = useState('');
  return (
    <Form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault();
        if (password) onPassword(password);
      }}
    >
      <Field
        label={t.form.eventPassword}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={password}
        // The limit counts UTF-16 units, of which a character may have two.
        maxLength={2 * GUEST_PASSWORD_MAX}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" look="secondary" disabled={!password}>
        {t.page.unlock}
      </Button>
    </Form>
  );
}
