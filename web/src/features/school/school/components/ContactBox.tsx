import type { Contact } from '#contract/calls/contacts.ts';
import type { ListedDelivery } from '#contract/mail-delivery.ts';
import { countryName } from '#contract/countries.ts';
import { DeliveryLine } from '../../../../ui/DeliveryLine.tsx';
import { EmailText } from '../../../../ui/EmailText.tsx';
import { Card } from '../../../../ui/Card.tsx';
import css from '../SchoolPage.module.css';

interface Props {
  title: string;
  contact: Contact | undefined;
  /** Shown when there is no contact. */
  empty: string;
  /** The latest email to the contact, for those who can change it. */
  delivery?: ListedDelivery | undefined;
}

/** A contact of the school: name, address, phone and email. */
export function ContactBox({ title, contact, empty, delivery }: Props) {
  return (
    <Card className={css.box} aria-label={title}>
      <h2>{title}</h2>
      {contact ? (
        <>
          <p className={css.name}>
            <strong>{contact.contact_name}</strong>
            {contact.job_role && <span>{contact.job_role}</span>}
          </p>
          <address className={css.address}>
            {[
              contact.address_line_1,
              contact.address_line_2,
              contact.address_line_3,
              contact.address_line_4,
              contact.postcode,
              countryName(contact.country_code),
            ]
              .filter(Boolean)
              .map((line, index) => (
                <span key={index}>{line}</span>
              ))}
          </address>
          <dl className={css.reach}>
            <dt>Phone</dt>
            <dd>
              <a href={`tel:${contact.telephone.replace(/[^+\d]/g, '')}`}>{contact.telephone}</a>
            </dd>
            {contact.email && (
              <>
                <dt>Email</dt>
                <dd>
                  <a href={`mailto:${contact.email}`}>
                    <EmailText email={contact.email} />
                  </a>
                  <DeliveryLine delivery={delivery} advice="Change the address." />
                </dd>
              </>
            )}
          </dl>
        </>
      ) : (
        <p className="soft flat">{empty}</p>
      )}
    </Card>
  );
}
