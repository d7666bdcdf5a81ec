import type { Business } from '@feierbild/contract/calls/site.ts';
import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { SiteContext, useSite } from '../../../lib/use-site.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { BusinessCard } from '../../../ui/public-page.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { at, atFields, formOf, GROUPS, shownOf, typedOf, type BusinessForm } from './business-form.ts';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';
import type { KeptOf } from './use-settings.ts';

/** The operator's data. */
export function BusinessSection() {
  return <SettingsSection section="business">{(kept, save) => <BusinessFields kept={kept} onSave={save} />}</SettingsSection>;
}

interface BusinessFieldsProps {
  kept: KeptOf<'business'>;
  onSave(value: SettingsOf<'business'>): Promise<void>;
}

function BusinessFields({ kept: { value, fixed }, onSave }: BusinessFieldsProps) {
  const { typed, change, field, failure, busy, onSubmit } = useForm<BusinessForm>(formOf(value));
  const save = async (): Promise<void> => {
    await onSave(typedOf(typed)).catch((error: unknown) => {
      throw atFields(error);
    });
  };
  return (
    <div className={styles.beside}>
      <form className={styles.form} onSubmit={onSubmit(save)} noValidate>
        {fixed && (
          <Notice kind="info" permanent>
            Was in der Datei BUSINESS_FILE steht, gilt und lässt sich hier nicht ändern.
          </Notice>
        )}
        {GROUPS.map(({ legend, fields }) => (
          <fieldset key={legend} className={styles.group}>
            <legend>{legend}</legend>
            {fields.map(({ path, label, hint, kind, required }) => {
              const said = at(fixed, path);
              const isFixed = said !== undefined;
              const shown = isFixed ? shownOf(said, kind) : (typed[path] ?? '');
              if (kind === 'switch')
                return (
                  <Switch
                    key={path}
                    label={label}
                    hint={isFixed ? FIXED : undefined}
                    disabled={isFixed}
                    checked={shown === true}
                    onChange={(on) => change(path, on)}
                  />
                );
              return (
                <Field
                  key={path}
                  label={label}
                  type={kind === 'email' ? 'email' : 'text'}
                  inputMode={kind === 'number' ? 'decimal' : undefined}
                  {...field(path)}
                  value={String(shown)}
                  hint={isFixed ? FIXED : hint}
                  disabled={isFixed}
                  required={required}
                />
              );
            })}
          </fieldset>
        ))}
        {failure && <Notice kind="error">{failure}</Notice>}
        <div>
          <Button type="submit" busy={busy}>
            Speichern
          </Button>
        </div>
      </form>
      <Preview typed={typedOf(typed)} fixed={fixed} />
    </div>
  );
}

const FIXED = 'Festgelegt in BUSINESS_FILE.';

/** How the operator's card will look, as far as it was typed. */
function Preview({ typed, fixed }: { typed: SettingsOf<'business'>; fixed: SettingsOf<'business'> | null }) {
  const site = useSite();
  const said = (path: string): string => shownOf(at(fixed, path) ?? at(typed, path), undefined) as string;
  const phone = said('contact.phone.shown');
  const identity = {
    brand: said('identity.brand') || 'Name des Betriebs',
    owner: said('identity.owner') || said('identity.brand'),
    street: said('identity.street'),
    zip: said('identity.zip'),
    city: said('identity.city'),
  };
  const contact = { email: said('contact.email'), hours: said('contact.hours'), ...(phone && { phone: { e164: '', shown: phone } }) };
  return (
    <aside className={styles.preview} aria-label="Vorschau">
      <h2>Vorschau</h2>
      <p className="soft">So steht es im Impressum:</p>
      <div className={styles.previewed} inert>
        <SiteContext value={{ ...site, business: { ...site.business, identity, contact } satisfies Business }}>
          <BusinessCard />
        </SiteContext>
      </div>
    </aside>
  );
}
