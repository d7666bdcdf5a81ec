import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { GuestEvent, Photo } from '@feierbild/contract/entities.ts';
import { ImagePlus, Lock } from 'lucide-react';
import { useCallback, useState } from 'react';
import { recall, remember } from '../../lib/storage.ts';
import { upload } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { MyPhotos } from './my-photos.tsx';
import { PhotoTile } from './photo-tile.tsx';
import grid from './photo-tile.module.css';
import { remaining, summariseFailures, type Item } from './selection.ts';
import styles from './upload-form.module.css';
import { useUploads } from './use-uploads.ts';

interface UploadFormProps {
  code: string;
  event: GuestEvent;
  deviceId: string;
  password: string;
  /** What this device uploaded before. */
  earlier: Photo[];
}

/** The guest's page when everything is ready: name, photos, consent, one button. */
export function UploadForm({ code, event, deviceId, password, earlier }: UploadFormProps) {
  const [name, setName] = useState(() => recall('userName') ?? '');
  const [consent, setConsent] = useState(false);
  const [mine, setMine] = useState(earlier);
  const onStored = useCallback((photos: Photo[]) => {
    const fresh = new Set(photos.map(({ id }) => id));
    setMine((before) => [...photos.toReversed(), ...before.filter(({ id }) => !fresh.has(id))]);
  }, []);
  const { items, thumbnails, running, add, remove, start } = useUploads(onStored);

  const left = remaining(items);
  const failures = running ? [] : summariseFailures(items);
  const disabled = items.length === 0 || left === 0 || running || !consent;

  return (
    <PageShell width="narrow" footer={false} brandLink={false}>
      <div className={styles.page}>
        <div className={styles.head}>
          <h1 tabIndex={-1}>{event.title}</h1>
          {event.subtitle && <p className={styles.subtitle}>{event.subtitle}</p>}
        </div>
        <Field
          label={upload.name}
          value={name}
          autoComplete="given-name"
          maxLength={DEVICE_NAME_LENGTH}
          onChange={({ target }) => {
            setName(target.value);
            remember('userName', target.value);
          }}
        />
        <label className={styles.picker} aria-disabled={running}>
          <ImagePlus size={34} aria-hidden="true" />
          {upload.pick}
          <input
            type="file"
            accept="image/*"
            multiple
            className="visually-hidden"
            disabled={running}
            onChange={({ target }) => {
              add([...(target.files ?? [])]);
              // The same file can be picked again after it was removed.
              target.value = '';
            }}
          />
        </label>
        {failures.length > 0 && (
          <Notice kind="error">
            {failures.map(({ text, advice }) => (
              <span key={text}>
                <strong>{text}</strong> {advice}
              </span>
            ))}
          </Notice>
        )}
        {items.length > 0 && (
          <ul className={grid.grid} aria-label="Ausgewählte Fotos">
            {items.map((item) => (
              <li key={item.id}>
                <PhotoTile item={item} thumbnail={thumbnails.get(item.id)} locked={running} onRemove={remove} />
              </li>
            ))}
          </ul>
        )}
        <p className={styles.private}>
          <Lock size={16} aria-hidden="true" />
          Nur der Gastgeber sieht alle Fotos. Sie werden verschlüsselt gespeichert.
        </p>
        <MyPhotos photos={mine} onDeleted={(id) => setMine((before) => before.filter((photo) => photo.id !== id))} locked={running} />
      </div>
      <div className={styles.bottom}>
        <div className={styles.bar}>
          <label className={styles.consent}>
            <input type="checkbox" checked={consent} onChange={({ target }) => setConsent(target.checked)} />
            <span>
              Ich habe die{' '}
              <a href="/datenschutz" target="_blank" rel="noopener">
                Datenschutzhinweise
              </a>{' '}
              gelesen und darf diese Fotos teilen.
              <small className={styles.small}>Der Gastgeber erhält die Originale, auch mit Aufnahmeort, falls gespeichert.</small>
            </span>
          </label>
          <Button
            wide
            disabled={disabled}
            aria-describedby="upload-reason"
            onClick={() => start({ code, deviceId, deviceName: name.trim() || ANONYMOUS, password })}
          >
            {buttonLabel(items, left, running)}
          </Button>
          <span id="upload-reason" className="visually-hidden">
            {reason(items, left, running, consent)}
          </span>
        </div>
      </div>
      <Announcer items={items} running={running} />
    </PageShell>
  );
}

function buttonLabel(items: readonly Item[], left: number, running: boolean): string {
  if (running) return upload.running.replace('N', String(items.filter(({ state }) => state === 'pending' || state === 'uploading').length));
  if (items.length === 0) return upload.nothing;
  return left === 0 ? upload.done : upload.waiting.replace('N', String(left));
}

/** Why the button is off, for those who can't see the page. */
function reason(items: readonly Item[], left: number, running: boolean, consent: boolean): string {
  if (running) return 'Die Fotos werden gerade hochgeladen.';
  if (items.length === 0) return 'Bitte wählen Sie zuerst Fotos aus.';
  if (left === 0) return 'Alle Fotos sind hochgeladen.';
  return consent ? '' : 'Bitte bestätigen Sie zuerst die Datenschutzhinweise.';
}

/** Tells screen readers about progress in tenths, and the end. */
function Announcer({ items, running }: { items: readonly Item[]; running: boolean }) {
  const settled = items.filter(({ state }) => state === 'uploaded' || state === 'failed').length;
  const failed = items.filter(({ state }) => state === 'failed').length;
  const tenth = items.length === 0 ? 0 : Math.floor((settled / items.length) * 10) * 10;
  let text = '';
  if (running) text = `${tenth} Prozent hochgeladen`;
  else if (settled > 0) text = failed > 0 ? `Fertig, ${failed} fehlgeschlagen` : 'Alle Fotos sind hochgeladen';
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}
