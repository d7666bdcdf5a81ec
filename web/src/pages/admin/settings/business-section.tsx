import type { Business } from '@feierbild/contract/calls/site.ts';
import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { SiteContext, useSite } from '../../../lib/use-site.ts';
import { BusinessCard } from '../../../ui/public-page.tsx';
import { atFields, dialled, GROUPS } from './business-form.ts';
import { at, shownOf } from './path-form.ts';
import { SettingsForm } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

/** The operator's data. */
export function BusinessSection() {
  return (
    <SettingsSection section="business">
      {({ value, fixed }, save) => (
        <SettingsForm
          groups={GROUPS}
          value={value}
          fixed={fixed}
          onSave={(typed) =>
            save(dialled(typed)).catch((error: unknown) => {
              throw atFields(error);
            })
          }
          preview={(typed) => <Preview typed={typed} fixed={fixed} />}
        />
      )}
    </SettingsSection>
  );
}

/** Shows the operator's card with the typed values. */
function Preview({ typed, fixed }: { typed: object; fixed: SettingsOf<'business'> | null }) {
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
    <>
      <p className="soft">So steht es im Impressum:</p>
      <div className={styles.previewed} inert>
        <SiteContext value={{ ...site, business: { ...site.business, identity, contact } satisfies Business }}>
          <BusinessCard />
        </SiteContext>
      </div>
    </>
  );
}
