import { useEffect, useRef } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { useNavigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import css from './FaqPage.module.css';
import { Blocks } from './components/Blocks.tsx';
import type { Faq } from '#content/help/read-help.ts';
import { faqSets } from './model/help.ts';
import { fillIn } from '../../../shared/product.ts';
import { useIsSupplyTeacher } from '../../../shared/use-is-supply-teacher.ts';

/** All questions, the most common ones first. The one in the URL is open. */
export default function FaqPage() {
  const { faqId } = useParams();
  const isSupply = useIsSupplyTeacher();
  const open = faqSets.flatMap(({ faqs }) => faqs).find(({ id }) => id === faqId);
  const isUnknown = faqId !== undefined && !open;
  return (
    <>
      <PageHeader
        title={open ? open.title : isUnknown ? 'Question not found' : 'FAQs'}
        crumbs={[
          { text: 'Help and support', to: paths.overview() },
          ...(faqId === undefined ? [] : [{ text: 'FAQs', to: paths.faqs() }]),
        ]}
        {...(isUnknown && { lead: 'We could not find that question. Choose one of these.' })}
      >
        FAQs
      </PageHeader>
      {faqSets.map(({ title, faqs }) => (
        <section key={title} aria-labelledby={title.replaceAll(' ', '-')} className="below-3xl">
          <h2 id={title.replaceAll(' ', '-')}>{title}</h2>
          <div className={css.faqs}>
            {faqs.map((faq) => (
              <Question key={faq.id} faq={faq} isOpen={faq.id === faqId} />
            ))}
          </div>
        </section>
      ))}
      <p className="flat">
        Not here? Read the <Link to={paths.userGuide()}>user guide</Link>
        {isSupply ? (
          ', or ask the school.'
        ) : (
          <>
            , or <Link to={paths.contact()}>ask us</Link>.
          </>
        )}
      </p>
    </>
  );
}

function Question({ faq: { id, title, blocks }, isOpen }: { faq: Faq; isOpen: boolean }) {
  const root = useRef<HTMLDetailsElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (isOpen) root.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <details ref={root} open={isOpen} className={css.faq}>
      {/* The open question is in the URL, so it can be shared and Back closes it. */}
      <summary
        onClick={(event) => {
          event.preventDefault();
          void navigate(isOpen ? paths.faqs() : paths.faq(id), { preventScrollReset: true });
        }}
      >
        <h3>{fillIn(title)}</h3>
      </summary>
      <div className={css.answer}>
        <Blocks blocks={blocks} />
      </div>
    </details>
  );
}
