import type { Subscription } from '#contract/calls/billing.ts';
import type { School } from '#contract/calls/school.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { paths } from '../../../paths.ts';
import { formatDate } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { schoolQuery, WhileOpen } from '../../school/school/school.public.ts';
import { InvoicesTable } from './components/InvoicesTable.tsx';
import { PackageChoice } from './components/PackageChoice.tsx';
import { isExtendable, isRenewalDue } from './model/extendable.ts';
import { paidText, placesText, placesUsedText } from './model/package-texts.ts';
import { SectionHead } from '../../../ui/SectionHead.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import css from './SubscriptionPage.module.css';

/** The school's subscription, the packages it can change to, and its invoices. */
export default function SubscriptionPage() {
  const schoolId = useSchoolId();
  const { data, error, refetch } = usePrefetchedQuery(schoolQuery(schoolId));
  const school = data?.enterprise;
  const invoices = school?.invoices;
  if (!school || !invoices)
    return (
      <>
        <PageHeader title="Subscription" />
        {/* Directly after a purchase, the cached school has no invoices until it is fetched again. */}
        {school ? <PageSkeleton rows={8} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </>
    );
  return (
    <>
      <PageHeader title="Subscription" />
      {school.subscription ? (
        <CurrentSubscription
          subscription={school.subscription}
          pupils={school.readers_count}
          hasOpenInvoice={invoices.meta.has_open_invoice}
        />
      ) : (
        <p>{school.name} has no subscription yet.</p>
      )}
      <WhileOpen>
        <h2 id="packages">{packagesTitle(school)}</h2>
        <PackageChoice heading="h3" isNew={school.subscription === null} />
      </WhileOpen>
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

function packagesTitle({ subscription }: School): string {
  if (!subscription || subscription.has_expired) return 'Choose a package';
  return isRenewalDue(subscription) ? 'Change package at renewal' : 'Packages';
}

interface CurrentSubscriptionProps {
  subscription: Subscription;
  pupils: number;
  hasOpenInvoice: boolean;
}

function CurrentSubscription({ subscription, pupils, hasOpenInvoice }: CurrentSubscriptionProps) {
  const { title, has_expired, expires_at, max_readers: places, next_period: next, payment_provider } = subscription;
  const isProcessing = subscription.renewal_status === 'awaiting_payment' && !hasOpenInvoice;
  const hasExtend = isRenewalDue(subscription) && !has_expired && !hasOpenInvoice && isExtendable(subscription);
  return (
    <section className={`box row spread ${css.current}`} aria-label="Your subscription">
      <dl className="facts">
        <div>
          <dt>Package</dt>
          <dd>
            {title || 'Custom package'}
            {isProcessing && (
              <>
                {' '}
                <span className={css.processing}>
                  <Chip tone="action">processing</Chip>
                </span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd className="sentence">{placesText(places)}</dd>
        </div>
        <div>
          <dt>Places used</dt>
          <dd>{placesUsedText(pupils, places)}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>{paidText(subscription)}</dd>
        </div>
        <div>
          <dt>{has_expired ? 'Ended' : 'Ends'}</dt>
          <dd>{formatDate(expires_at)}</dd>
        </div>
        {next && (
          <div>
            <dt>From {formatDate(next.from)}</dt>
            <dd>
              {next.title}
              <span className="sentence block light">{placesText(next.max_readers)}</span>
            </dd>
          </div>
        )}
      </dl>
      {hasExtend && (
        <WhileOpen>
          <ButtonLink to={paths.fillBillingDetails(subscription.package_id ?? undefined)}>Extend</ButtonLink>
        </WhileOpen>
      )}
      {payment_provider === 'manual' && !has_expired && (
        <p className={`soft flat ${css.note}`}>
          This is a custom package for your school. To change or renew it,{' '}
          <a href={paths.renewal()}>ask us to contact you</a>.
        </p>
      )}
    </section>
  );
}
