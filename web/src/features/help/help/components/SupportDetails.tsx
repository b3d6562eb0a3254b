import { IconMail, IconPhone } from '@tabler/icons-react';
import css from '../ContactPage.module.css';

interface Props {
  email: string;
  phone?: string;
}

/** How to call or email support. */
export const SupportDetails = ({ email, phone }: Props) => (
  <section aria-labelledby="reach">
    <h2 id="reach">{phone ? 'Call or email' : 'Email'}</h2>
    <ul className={`stack-s ${css.ways}`}>
      {phone && (
        <li>
          <IconPhone size={22} aria-hidden />
          <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
        </li>
      )}
      <li>
        <IconMail size={22} aria-hidden />
        <a href={`mailto:${email}`}>{email}</a>
      </li>
    </ul>
  </section>
);
