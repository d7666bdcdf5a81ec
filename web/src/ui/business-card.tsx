import type { Business } from '@feierbild/contract/entities.ts';
import styles from './prose.module.css';

/** The operator's address, phone and e-mail. */
export function BusinessCard({ business }: { business: Business }) {
  const { identity, contact } = business;
  return (
    <address className={styles.contact}>
      <strong>{identity.brand}</strong>
      <span>{identity.owner}</span>
      <span>{identity.street}</span>
      <span>
        {identity.zip} {identity.city}
      </span>
      <a href={`tel:${contact.phone.e164}`}>{contact.phone.shown}</a>
      <a href={`mailto:${contact.email}`}>{contact.email}</a>
      {contact.hours && <span>{contact.hours}</span>}
    </address>
  );
}
