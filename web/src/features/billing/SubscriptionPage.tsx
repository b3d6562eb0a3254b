import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#contract/calls/billing.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { paths } from '../../paths.ts';
import { formatDate } from '../../shared/format.ts';
import { useSchoolId } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { DownloadMenu } from '../../ui/DownloadMenu.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { schoolQuery } from '../school/school.public.ts';
import { InvoicesTable } from './components/InvoicesTable.tsx';
import { PackageChoice } from './components/PackageChoice.tsx';
import { isExtendable } from './model/extendable.ts';
import { paidText, placesText } from './model/package-texts.ts';
import { SectionHead } from '../../ui/SectionHead.tsx';
import css from './SubscriptionPage.module.css';

/** The school's subscription, the packages that it could change to, and its invoices. */
export default function SubscriptionPage() {
  const schoolId = useSchoolId();
  const { data, error, refetch } = useQuery(schoolQuery(schoolId));
  const school = data?.enterprise;
  const invoices = school?.invoices;
  if (!school || !invoices)
    return (
      <>
        <PageHeader title="Subscription" />
        {error && !school ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <PageSkeleton rows={8} />}
      </>
    );
  return (
    <>
      <PageHeader title="Subscription" />
      {school.subscription ? (
        <Present subscription={school.subscription} hasOpenInvoice={invoices.meta.has_open_invoice} />
      ) : (
        <p>{school.name} has no subscription yet.</p>
      )}
      <h2 id="packages">{school.subscription && !school.subscription.has_expired ? 'Packages' : 'Choose a package'}</h2>
      <PackageChoice heading="h3" isNew={school.subscription === null} />
      <SectionHead
        id="invoices"
        title="Invoices"
        actions={
          invoices.data.length > 0 && (
            <DownloadMenu
              label="Download the invoices"
              path={downloadCalls.exportSchoolInvoices.path}
              params={{ id: schoolId }}
              name="invoices"
            />
          )
        }
      />
      <InvoicesTable invoices={invoices.data} />
    </>
  );
}

function Present({ subscription, hasOpenInvoice }: { subscription: Subscription; hasOpenInvoice: boolean }) {
  const { title, has_expired, expires_at, is_trial, max_readers: places, meta, payment_provider } = subscription;
  const isProcessing = subscription.renewal_status === 'awaiting_payment' && !hasOpenInvoice;
  const hasExtend = meta.is_nearing_end && !has_expired && !is_trial && !hasOpenInvoice && isExtendable(subscription);
  return (
    <section className={css.present} aria-label="Your subscription">
      <dl className={css.facts}>
        <div>
          <dt>Package</dt>
          <dd>
            {title || 'Custom package'}
            {isProcessing && (
              <>
                {' '}
                <span className={css.processing}>processing</span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd className={css.size}>{placesText(places)}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>{paidText(subscription)}</dd>
        </div>
        <div>
          <dt>{has_expired ? 'Ended' : 'Ends'}</dt>
          <dd>{formatDate(expires_at)}</dd>
        </div>
      </dl>
      {hasExtend && <ButtonLink to={paths.fillBillingDetails(subscription.package_id ?? undefined)}>Extend</ButtonLink>}
      {payment_provider === 'manual' && !has_expired && (
        <p className={css.note}>
          This package was made for your school. To change or renew it,{' '}
          <a href={paths.renewal()}>ask us to contact you</a>.
        </p>
      )}
    </section>
  );
}
