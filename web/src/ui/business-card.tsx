import { useSite } from '../lib/use-site.ts';
import styles from './prose.module.css';

/** The operator's address, phone and e-mail. */
export function BusinessCard() {
  const { identity, contact } = useSite().business;
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
