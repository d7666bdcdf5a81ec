import { useSite } from '../../lib/use-site.ts';

/** The operator's phone number, to call. */
export function OperatorPhone() {
  const { phone } = useSite().business.contact;
  return <a href={`tel:${phone.e164}`}>{phone.shown}</a>;
}
