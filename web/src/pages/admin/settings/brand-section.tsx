import type { Brand } from '@feierbild/contract/brand.ts';
import { isReadable } from '@feierbild/contract/colours.ts';
import { ImageUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useSite } from '../../../lib/use-site.ts';
import { Button } from '../../../ui/button.tsx';
import { FilePicker } from '../../../ui/file-picker.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Logo, pictureOf } from '../../../ui/page-shell.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm, useAction } from '../../../ui/use-form.ts';
import { AccentField, AccentPreview, SHIPPED } from './accent-field.tsx';
import { colourIn } from './colour-in.ts';
import { isFaint } from './faint.ts';
import { FormFrame } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

/** The settings for colour, logo, and the language of guests' pages. */
export function BrandSection() {
  return <SettingsSection section="brand">{({ value }, save) => <BrandForm brand={value ?? {}} onSave={save} />}</SettingsSection>;
}

function BrandForm({ brand, onSave }: { brand: Brand; onSave(brand: Brand): Promise<void> }) {
  const { typed, change, mistakes, onSubmit, ...form } = useForm<{ accent: string; logo: Brand['logo']; phoneLanguage: boolean }>({
    accent: brand.accent ?? '',
    logo: brand.logo,
    phoneLanguage: brand.phoneLanguage ?? false,
  });
  const upload = useAction();
  const { brand: name } = useSite().business.identity;
  const { logo, phoneLanguage } = typed;
  const accent = colourIn(typed.accent) ?? typed.accent;
  const [isHardlySeen, setHardlySeen] = useState(false);
  const shown = colourIn(accent) && isReadable(accent) ? accent : SHIPPED;
  return (
    <FormFrame
      // A picture that is still being uploaded would not be saved.
      form={{ ...form, busy: form.busy || upload.busy }}
      onSubmit={onSubmit(() => onSave({ ...(accent && { accent }), ...(logo && { logo }), ...(phoneLanguage && { phoneLanguage }) }))}
      preview={
        <>
          {logo && (
            <div className={styles.onPaper}>
              <Logo {...pictureOf(logo)} name={name} onLoad={({ currentTarget }) => setHardlySeen(isFaint(pixelsOf(currentTarget)))} />
            </div>
          )}
          <AccentPreview colour={shown} />
          {shown !== accent && accent !== '' && <p className="soft">Gezeigt ist die Farbe, die mitgeliefert wird.</p>}
        </>
      }
    >
      <fieldset className={styles.group}>
        <legend>Farbe</legend>
        <AccentField label="Akzentfarbe" value={typed.accent} error={mistakes.accent} onChange={(colour) => change('accent', colour)} />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Logo</legend>
        <p className="soft">PNG, JPEG oder WebP. Es steht oben auf jeder Seite, höchstens 176 × 40 Punkte groß.</p>
        <div className={styles.buttons}>
          <FilePicker
            accept="image/png,image/jpeg,image/webp"
            busy={upload.busy}
            onPick={(file) => void upload.run(async () => change('logo', await call('POST /admin/logo', { file, limitMs: UPLOAD_MS })))}
          >
            <ImageUp size={20} /> {logo ? 'Anderes Logo wählen' : 'Logo wählen'}
          </FilePicker>
          {logo && (
            <Button look="quiet" onClick={() => change('logo', undefined)}>
              <Trash2 size={20} /> Ohne Logo
            </Button>
          )}
        </div>
        {logo && isHardlySeen && (
          <Notice kind="warning">
            Auf dem Grund der Seiten ist dieses Logo kaum zu sehen, wie in der Vorschau. Nehmen Sie eine dunkle Fassung.
          </Notice>
        )}
        {(upload.failure || mistakes.logo) && <Notice kind="error">{upload.failure || mistakes.logo}</Notice>}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Sprache der Gäste</legend>
        <Switch
          label="Sprache des Handys"
          hint="Gäste sehen ihre Seiten gleich in der Sprache ihres Handys, wenn es sie hier gibt. Ohne diesen Schalter sehen sie Deutsch, und eine Zeile bietet ihre Sprache an."
          checked={phoneLanguage}
          onChange={(on) => change('phoneLanguage', on)}
        />
      </fieldset>
    </FormFrame>
  );
}

/** Reads a picture's pixels, RGBA. */
function pixelsOf(image: HTMLImageElement): Uint8ClampedArray {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const drawing = canvas.getContext('2d');
  drawing?.drawImage(image, 0, 0);
  return drawing?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
}

/** Limit of the upload of a picture, which may be large and the line slow. */
const UPLOAD_MS = 120_000;
