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

/** More are of no further help. */
const SHOWN = 3;

type Failed = Item & { failure: Failure };
type Cause = keyof typeof later.failures.causes;
/** Each code is its own cause, but for these and what has no word of its own. */
const CLOSED: readonly Failure['code'][] = ['event_inactive', 'upload_disabled', 'event_not_found'];
/** A file that is too large, or no picture, is called a file. */
const FILES: readonly Cause[] = ['too_large', 'not_a_photo', 'unreadable'];

function causeOf({ code }: Failure): Cause {
  if (CLOSED.includes(code)) return 'closed';
  return code in later.failures.causes ? (code as Cause) : 'other';
}

/** Why a file failed, in one or two words. */
export function shortReason(failure: Failure): string {
  return later.failures.causes[causeOf(failure)].short;
}

interface UploadFailuresProps {
  items: readonly Item[];
  /** Waiting items are sent again by themselves. */
  waiting: boolean;
  /** Others were stored. */
  partly: boolean;
  onPassword(password: string): void;
}

/** Why photos were not stored, by cause, by name, and what to do. */
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

/** Failed files summed up by cause, with advice. Without those that are sent again by themselves, or have to be chosen again. */
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
      /** Which file or how many, and why. */
      text: later.failures.because(found.length === 1 ? first.name : many, reason),
      advice,
      /** The first few, where they are several. */
      names: found.length === 1 ? '' : later.failures.more(names, found.length - names.length),
      password: cause === 'wrong_event_password',
      /** By these the operator finds in the log what the page cannot explain. */
      ids: cause === 'other' ? idsOf(found.map(({ failure }) => failure)) : [],
    };
  });
}

/** Asks for the event's password that was changed meanwhile. On this page, since another one would lose the selection. */
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
        // In UTF-16 units; a character may have two.
        maxLength={2 * GUEST_PASSWORD_MAX}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" look="secondary" disabled={!password}>
        {t.page.unlock}
      </Button>
    </Form>
  );
}
