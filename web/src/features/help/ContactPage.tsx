import { IconMail, IconPhone } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { ENQUIRY_FORM_URL, SUPPORT } from '../../shared/product.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import css from './ContactPage.module.css';
import { EnquiryForm } from './components/EnquiryForm.tsx';
import { EnquiryFrame } from './components/EnquiryFrame.tsx';

/** How to reach the people who help schools. */
export default function ContactPage() {
  return (
    <>
      <PageHeader
        title="Contact"
        crumbs={[{ text: 'Help and support', to: paths.overview() }]}
        lead={
          <>
            Many answers are in the <Link to={paths.faqs()}>FAQs</Link> and in the{' '}
            <Link to={paths.userGuide()}>user guide</Link>. For everything else, ask us.
          </>
        }
      />
      <div className={css.columns}>
        <section aria-labelledby="write" className={css.form}>
          <h2 id="write">Write to us</h2>
          {ENQUIRY_FORM_URL ? <EnquiryFrame address={ENQUIRY_FORM_URL} /> : <EnquiryForm />}
        </section>
        {SUPPORT && (
          <section aria-labelledby="reach">
            <h2 id="reach">{SUPPORT.phone ? 'Call or email' : 'Email'}</h2>
            <ul className={css.ways}>
              {SUPPORT.phone && (
                <li>
                  <IconPhone size={22} aria-hidden />
                  <a href={`tel:${SUPPORT.phone.replace(/[^+\d]/g, '')}`}>{SUPPORT.phone}</a>
                </li>
              )}
              <li>
                <IconMail size={22} aria-hidden />
                <a href={`mailto:${SUPPORT.email}`}>{SUPPORT.email}</a>
              </li>
            </ul>
          </section>
        )}
      </div>
    </>
  );
}
