import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { SUPPORT } from '../../../../shared/product.ts';
import { EmailText } from '../../../../ui/EmailText.tsx';

/** How to contact us about an invoice or a subscription. */
export function ContactWays({ id }: { id: string }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>How to contact us</h2>
      <ul>
        {SUPPORT?.phone && (
          <li>
            Phone <a href={`tel:${SUPPORT.phone.replace(/[^+\d]/g, '')}`}>{SUPPORT.phone}</a>
          </li>
        )}
        {SUPPORT && (
          <li>
            Email{' '}
            <a href={`mailto:${SUPPORT.email}`}>
              <EmailText email={SUPPORT.email} />
            </a>
          </li>
        )}
        <li>
          <Link to={paths.renewal()}>Ask us to contact you</Link>
        </li>
      </ul>
    </section>
  );
}
