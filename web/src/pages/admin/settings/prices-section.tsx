import type { Prices } from '@feierbild/contract/offer.ts';
import type { Rented } from '@feierbild/contract/rented.ts';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { formatEuros } from '../../../lib/german-format.ts';
import { PRICES, TERMS, CANCELLED } from '../../../lib/offer.ts';
import { CountButtons, SettingsForm } from './settings-form.tsx';
import { at, shownOf, type Group } from './path-form.ts';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

const MOST_PACKAGES = 6;

const packageGroup = (n: number): Group => ({
  legend: `Paket ${n + 1}`,
  beside: true,
  fields: [
    { path: `packages.${n}.name`, label: 'Name', required: true },
    { path: `packages.${n}.price`, label: 'Preis in Euro', kind: 'number', required: true },
    { path: `packages.${n}.photos`, label: 'Fotos, ungefähr', kind: 'number', required: true },
    { path: `packages.${n}.gigabytes`, label: 'Speicher in GB', kind: 'number', required: true },
    { path: `packages.${n}.popular`, label: 'Beliebt', kind: 'switch' },
  ],
});
const INDIVIDUAL: Group = {
  legend: 'Darüber, auf Anfrage',
  beside: true,
  fields: [
    { path: 'individual.name', label: 'Name', required: true },
    { path: 'individual.gigabytes', label: 'Speicher ab, in GB', kind: 'number', required: true },
  ],
};

const SHOWN: Group = {
  legend: 'Auf der Startseite',
  fields: [{ path: 'hidden', label: 'Die Preistabelle nicht zeigen', kind: 'switch' }],
};

/** The packages of the photo service. */
export function PricesSection() {
  return (
    <SettingsSection section="prices">
      {({ value }, save) => <PricesForm prices={value ?? PRICES} onSave={(typed) => save(typed as Prices)} />}
    </SettingsSection>
  );
}

function PricesForm({ prices, onSave }: { prices: Prices; onSave(typed: object): Promise<void> }) {
  const [count, setCount] = useState(prices.packages.length);
  const groups = [...Array.from({ length: count }, (_, n) => packageGroup(n)), INDIVIDUAL, SHOWN];
  return (
    <SettingsForm groups={groups} value={prices} onSave={onSave} preview={(typed) => <PricesPreview prices={typed} />}>
      <CountButtons count={count} most={MOST_PACKAGES} add="Paket hinzufügen" remove="Letztes Paket entfernen" onChange={setCount} />
    </SettingsForm>
  );
}

function PricesPreview({ prices }: { prices: object }) {
  const packages = (at(prices, 'packages') ?? []) as Partial<Prices['packages'][number]>[];
  return (
    <ul className={styles.previewed}>
      {packages.map(({ name = '', price = 0, photos = 0, gigabytes = 0, popular }, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- a package is its place
        <li key={n}>
          <strong>{name}</strong>: {formatEuros(price)}, ca. {formatNumber(photos)} Fotos, {formatNumber(gigabytes)} GB
          {popular && ' · beliebt'}
        </li>
      ))}
    </ul>
  );
}

/** Names of the rented things, in the nominative. */
const NAMES: Record<Rented, string> = {
  cocktails: 'Cocktailmaschinen',
  projectors: 'Beamer',
  tents: 'Partyzelte',
  tables: 'Stehtische',
  sets: 'Bierzeltgarnituren',
};
/** The default: all things are rented out. */
const ALL_RENTED = Object.fromEntries(Object.keys(NAMES).map((thing) => [thing, true]));

const TERMS_GROUPS: Group[] = [
  {
    legend: 'Was Sie vermieten',
    beside: true,
    fields: Object.entries(NAMES).map(([thing, label]) => ({ path: `rented.${thing}`, label, kind: 'switch' })),
  },
  {
    legend: 'Angebot und Miete',
    beside: true,
    fields: [
      { path: 'offerValidDays', label: 'Ein Angebot gilt, Tage', kind: 'number' },
      { path: 'rentalHours', label: 'Gemietet wird je, Stunden', kind: 'number' },
      { path: 'cleaning.eurosPerHour', label: 'Reinigung, Euro je Stunde', kind: 'number' },
      { path: 'cleaning.minimumHours', label: 'Reinigung mindestens, Stunden', kind: 'number' },
    ],
  },
  {
    legend: 'Stornierung: Anteil am Preis in Prozent',
    beside: true,
    fields: CANCELLED.map((when, n) => ({ path: `cancellation.${n}`, label: when, kind: 'number' })),
  },
  {
    legend: 'Cocktailmaschine',
    beside: true,
    fields: [
      { path: 'cocktails.included', label: 'Cocktails im Grundpaket', kind: 'number' },
      { path: 'cocktails.guaranteedShare', label: 'Sicher abgenommen, Prozent der zusätzlichen', kind: 'number' },
      { path: 'cocktails.cancellationShare', label: 'Bei später Stornierung, Prozent des Mehrverbrauchs', kind: 'number' },
      { path: 'cocktails.cancellationDays', label: 'Spät ist: ab so vielen Tagen vor Beginn', kind: 'number' },
      { path: 'cocktails.paidDaysBefore', label: 'Zahlbar bis Tage vor der Feier', kind: 'number' },
      { path: 'cocktails.billedWithinDays', label: 'Mehrverbrauch berechnet binnen Tagen', kind: 'number' },
    ],
  },
];

/** The numbers of the terms. */
export function TermsSection() {
  return (
    <SettingsSection section="terms">
      {({ value }, save) => (
        <SettingsForm
          groups={TERMS_GROUPS}
          value={{ ...(value ?? TERMS), rented: { ...ALL_RENTED, ...value?.rented } }}
          onSave={(typed) => save(typed as typeof TERMS)}
          preview={(typed) => (
            <ul className={styles.previewed}>
              {CANCELLED.map((when, n) => (
                <li key={when}>
                  Stornierung {when}: {shownOf(at(typed, `cancellation.${n}`), 'number')} %
                </li>
              ))}
              <li>Ein Angebot gilt {shownOf(at(typed, 'offerValidDays'), 'number')} Tage.</li>
            </ul>
          )}
        />
      )}
    </SettingsSection>
  );
}
