import type { Business } from '@feierbild/contract/calls/site.ts';
import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { SiteContext, useSite } from '../../../lib/use-site.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { BusinessCard } from '../../../ui/public-page.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { atFields, businessOf, GROUPS } from './business-form.ts';
import { PathFields } from './path-fields.tsx';
import { at, fieldsOf, formOf, shownOf, type PathForm } from './path-form.ts';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';
import type { KeptOf } from './use-settings.ts';

/** The operator's data. */
export function BusinessSection() {
  return <SettingsSection section="business">{(kept, save) => <BusinessForm kept={kept} onSave={save} />}</SettingsSection>;
}

interface BusinessFormProps {
  kept: KeptOf<'business'>;
  onSave(value: SettingsOf<'business'>): Promise<void>;
}

function BusinessForm({ kept: { value, fixed }, onSave }: BusinessFormProps) {
  const form = useForm<PathForm>(formOf(fieldsOf(GROUPS), value));
  const save = async (): Promise<void> => {
    await onSave(businessOf(form.typed)).catch((error: unknown) => {
      throw atFields(error);
    });
  };
  return (
    <div className={styles.beside}>
      <form className={styles.form} onSubmit={form.onSubmit(save)} noValidate>
        {fixed && (
          <Notice kind="info" permanent>
            Was in der Datei BUSINESS_FILE steht, gilt und lässt sich hier nicht ändern.
          </Notice>
        )}
        <PathFields groups={GROUPS} form={form} fixed={fixed} />
        {form.failure && <Notice kind="error">{form.failure}</Notice>}
        <div>
          <Button type="submit" busy={form.busy}>
            Speichern
          </Button>
        </div>
      </form>
      <Preview typed={businessOf(form.typed)} fixed={fixed} />
    </div>
  );
}

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
