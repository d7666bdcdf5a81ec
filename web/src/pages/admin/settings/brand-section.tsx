import type { Brand } from '@feierbild/contract/brand.ts';
import { isColour, isReadable } from '@feierbild/contract/colours.ts';
import { ImageUp, Trash2 } from 'lucide-react';
import { call } from '../../../api/client.ts';
import { useSite } from '../../../lib/use-site.ts';
import { Button } from '../../../ui/button.tsx';
import { FilePicker } from '../../../ui/file-picker.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Logo, pictureOf } from '../../../ui/page-shell.tsx';
import { useForm, useTask } from '../../../ui/use-form.ts';
import { AccentField, AccentPreview, SHIPPED } from './accent-field.tsx';
import { FormFrame } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

/** Colour and logo. */
export function BrandSection() {
  return <SettingsSection section="brand">{({ value }, save) => <BrandForm brand={value ?? {}} onSave={save} />}</SettingsSection>;
}

function BrandForm({ brand, onSave }: { brand: Brand; onSave(brand: Brand): Promise<void> }) {
  const { typed, change, mistakes, onSubmit, ...form } = useForm<{ accent: string; logo: Brand['logo'] }>({
    accent: brand.accent ?? '',
    logo: brand.logo,
  });
  const upload = useTask();
  const { brand: name } = useSite().business.identity;
  const { accent, logo } = typed;
  const shown = isColour(accent) && isReadable(accent) ? accent : SHIPPED;
  return (
    <FormFrame
      // What is still on its way would not be saved.
      form={{ ...form, busy: form.busy || upload.busy }}
      onSubmit={onSubmit(() => onSave({ ...(accent && { accent }), ...(logo && { logo }) }))}
      preview={
        <>
          {logo && (
            <div className={styles.previewed}>
              <Logo {...pictureOf(logo)} name={name} />
            </div>
          )}
          <AccentPreview colour={shown} />
          {shown !== accent && accent !== '' && <p className="soft">Gezeigt ist die Farbe, die mitgeliefert wird.</p>}
        </>
      }
    >
      <fieldset className={styles.group}>
        <legend>Farbe</legend>
        <AccentField label="Akzentfarbe" value={accent} error={mistakes.accent} onChange={(colour) => change('accent', colour)} />
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
        {(upload.failure || mistakes.logo) && <Notice kind="error">{upload.failure || mistakes.logo}</Notice>}
      </fieldset>
    </FormFrame>
  );
}

/** For a large picture on a slow line. */
const UPLOAD_MS = 120_000;
