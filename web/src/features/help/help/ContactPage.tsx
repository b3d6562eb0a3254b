import { Link } from '../../../ui/Link.tsx';
import { paths } from '../../../paths.ts';
import { ENQUIRY_FORM_URL, SUPPORT } from '../../../shared/product.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ReleaseLine } from '../../../ui/ReleaseLine.tsx';
import css from './ContactPage.module.css';
import { EnquiryForm } from './components/EnquiryForm.tsx';
import { EnquiryFrame } from './components/EnquiryFrame.tsx';
import { SupportDetails } from './components/SupportDetails.tsx';

/** How schools can contact support. */
export default function ContactPage() {
  return (
    <>
      <PageHeader
        title="Contact"
        crumbs={[{ text: 'Help and support', to: paths.overview() }]}
        lead={
          <>
            Many answers are in the <Link to={paths.faqs()}>FAQs</Link> and in the{' '}
            <Link to={paths.userGuide()}>user guide</Link>. For anything else, contact us.
          </>
        }
      />
      <div className={css.columns}>
        <section aria-labelledby="write" className={css.form}>
          <h2 id="write">Write to us</h2>
          {ENQUIRY_FORM_URL ? <EnquiryFrame address={ENQUIRY_FORM_URL} /> : <EnquiryForm />}
        </section>
        {SUPPORT && <SupportDetails {...SUPPORT} />}
      </div>
      <ReleaseLine />
    </>
  );
}
