import { addDays, berlinInstant, berlinTime } from '@feierbild/contract/berlin.ts';
import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import type { GalleryMode } from '@feierbild/contract/gallery.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NO_NUMBER, call, isRefusal } from '../../api/client.ts';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { formatInstant } from '../../lib/format.ts';
import { germanNumber } from '../../lib/german-number.ts';
import { asTyped, germanTime } from '../../lib/german-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './panel.module.css';

export const MODES: Record<GalleryMode, { name: string; text: string }> = {
  drop: { name: 'Briefkasten', text: 'Gäste schicken Fotos, nur Sie sehen sie.' },
  reveal: { name: 'Enthüllung', text: 'Gäste schicken Fotos; ab einem Moment sehen alle alles.' },
  open: { name: 'Offen', text: 'Gäste sehen die gezeigten Fotos sofort.' },
};

const NO_TIME = 'Das ist noch nicht vollständig. Bitte geben Sie Tag und Uhrzeit an, wie 17.05.2026, 21:00.';
const HELD =
  'Leer: wenn Sie „Jetzt enthüllen“ wählen. Bis zu einem Zeitpunkt hält der Server die Fotos zurück; ohne einen gibt es bis dahin keinen Schlüssel.';

/** Pause between looks at the clock: the form may be open while its moment goes by. */
const CLOCK_MS = 1000;

/** Suggested moments of the reveal, by the event's last day. */
const MOMENTS: { name: string; of(lastDay: string): string }[] = [
  { name: 'Letzter Abend, 22 Uhr', of: (day) => `${day}T22:00` },
  { name: 'Am Morgen danach, 10 Uhr', of: (day) => `${addDays(day, 1)}T10:00` },
];

/** Writes a moment in Berlin's time, and in this browser's time if that differs. */
function read(local: string): string {
  const instant = berlinInstant(local);
  const here = new Date(instant).toLocaleTimeString('de-DE', { hour: '2-digit', minute: '2-digit' });
  const abroad = here === berlinTime(instant).slice(11, 16) ? '' : ` in Berlin; bei Ihnen ist es dann ${here} Uhr`;
  return `Am ${formatInstant(new Date(instant).toISOString())} Uhr${abroad}.`;
}

interface GallerySettingsProps {
  event: Pick<HostEvent, 'code' | 'end_date'>;
  gallery: Gallery;
  onClose(): void;
  onSaved(gallery: Gallery): void;
}

/** The three modes and the settings of each. */
export function GallerySettings({ event, gallery, onClose, onSaved }: GallerySettingsProps) {
  const queries = useQueryClient();
  /** The settings at the form's opening, because another phone may change them meanwhile. */
  const [was] = useState(gallery);
  const { opens_at, photos_per_device, mode: begun, originals, own_meanwhile, wall_meanwhile } = was;
  const begunAt = opens_at === null ? '' : asTyped(berlinTime(Date.parse(opens_at)));
  const { typed, field, change, onSubmit, ...form } = useForm({
    mode: begun,
    originals,
    own_meanwhile,
    wall_meanwhile,
    opens_at: begunAt,
    photos_per_device: photos_per_device === null ? '' : String(photos_per_device),
  });
  const toggle = (name: 'originals' | 'own_meanwhile' | 'wall_meanwhile') => ({
    checked: typed[name],
    onChange: (on: boolean) => change(name, on),
  });
  const { mode } = typed;
  const ends = begun !== 'drop' && mode === 'drop';
  // Only the mode `reveal` has these fields.
  const opensAt = mode === 'reveal' ? typed.opens_at.trim() : '';
  const limit = mode === 'reveal' ? typed.photos_per_device.trim() : '';
  const moment = germanTime(opensAt);
  const [here, setHere] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setHere(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  /** The latest moment that the server has called over, because this device's clock may be behind. */
  const [passed, setPassed] = useState(0);
  const now = Math.max(here, passed);
  /** Whether the moment is new, and over: it reveals at once. */
  const over = moment !== null && opensAt !== begunAt && berlinInstant(moment) <= now;
  const moments = MOMENTS.map(({ name, of }) => ({ name, local: of(event.end_date) })).filter(({ local }) => berlinInstant(local) > now);

  const found = (): Record<string, string> => ({
    ...(opensAt !== '' && moment === null && { opens_at: NO_TIME }),
    ...(limit !== '' && !Number.isInteger(germanNumber(limit)) && { photos_per_device: NO_NUMBER }),
  });

  async function save(): Promise<void> {
    const body = {
      ...typed,
      // The field shows no seconds, so what nobody has changed is sent as it was.
      opens_at: opensAt === begunAt ? opens_at : moment && new Date(berlinInstant(moment)).toISOString(),
      photos_per_device: limit === '' ? null : germanNumber(limit),
      was,
      ahead: !over,
    };
    try {
      onSaved(await call('PUT /api/events/:ref/gallery', { params: { ref: event.code }, body, limitMs: 120_000 }));
    } catch (error) {
      if (moment !== null && isRefusal(error, 'invalid_input') && 'opens_at' in error.fields) setPassed(berlinInstant(moment));
      // The next form shows the settings of another phone.
      void queries.invalidateQueries({ queryKey: galleryQuery(event.code).queryKey });
      throw error;
    }
  }

  return (
    <FormDialog
      title="Fotos für alle Gäste"
      form={form}
      onSubmit={onSubmit(save, found)}
      onClose={onClose}
      submit={over ? 'Jetzt enthüllen' : 'Speichern'}
      asked={
        <>
          {ends && <Notice kind="warning">Der Link für Gäste gilt dann nicht mehr, auch nicht auf gedruckten Karten.</Notice>}
          {over && <Notice kind="warning">Dieser Zeitpunkt ist vorbei: Alle Gäste mit dem Link sehen die Fotos sofort.</Notice>}
        </>
      }
    >
      <fieldset className={styles.modes}>
        <legend>Wer sieht die Fotos?</legend>
        {(Object.entries(MODES) as [GalleryMode, (typeof MODES)[GalleryMode]][]).map(([name, { name: label, text }]) => (
          <label key={name} className={`${styles.mode} ${mode === name ? styles.chosen : ''}`}>
            <input type="radio" name="mode" checked={mode === name} onChange={() => change('mode', name)} />
            {label}
            <small>{text}</small>
          </label>
        ))}
      </fieldset>
      {mode === 'reveal' && (
        <>
          <Field
            label="Enthüllung am"
            placeholder="TT.MM.JJJJ, HH:MM"
            autoComplete="off"
            {...field('opens_at')}
            hint={moment === null ? HELD : read(moment)}
          />
          {moments.length > 0 && (
            <div className={styles.buttons}>
              {moments.map(({ name, local }) => (
                <Button key={name} look="secondary" onClick={() => change('opens_at', asTyped(local))}>
                  {name}
                </Button>
              ))}
            </div>
          )}
          <Switch label="Gäste sehen ihre eigenen Fotos schon vorher" {...toggle('own_meanwhile')} />
          <Switch label="Die Slideshow läuft schon vorher" {...toggle('wall_meanwhile')} />
          <Field
            label="Fotos je Gerät"
            inputMode="numeric"
            {...field('photos_per_device')}
            hint="Leer: so viele jeder möchte. Mit 24 wie früher mit der Einwegkamera."
          />
        </>
      )}
      {mode !== 'drop' && <Switch label="Gäste dürfen Originale herunterladen" hint="ohne den Ort der Aufnahme" {...toggle('originals')} />}
    </FormDialog>
  );
}
