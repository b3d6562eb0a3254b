import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { PackageOffer } from '#contract/calls/billing.ts';
import { paths } from '../../../paths.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { packagesQuery, useStartTrial } from '../billing.api.ts';
import { placesText, priceText, refusalText } from '../model/package-texts.ts';
import css from './PackageSelector.module.css';
import { WithContactLink } from './WithContactLink.tsx';

/** The packages on offer, each with what it costs this school today and the way to choose it. `heading`: the level below the page's own. */
export function PackageSelector({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const schoolId = useSchoolId();
  const { data, error, refetch } = useQuery(packagesQuery(schoolId));
  const trial = useStartTrial(schoolId);
  const navigate = useNavigate();
  const startTrial = async (id: number) => {
    await trial.mutateAsync(id);
    showToast('Your free trial has begun');
    await navigate(paths.dashboard());
  };
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton rows={6} />;
  const offers = data.packages.filter(({ is_trial, meta }) => !is_trial || meta.refusal === null);
  const hasTrial = offers.some(({ is_trial }) => is_trial);
  // Said once for all of them, where none can be chosen.
  const paid = offers.filter(({ is_trial }) => !is_trial);
  const unpaid = paid.find(({ meta }) => meta.refusal === 'invoice_unpaid');
  return (
    <>
      {trial.error && <ErrorNotice error={trial.error} lost="The trial has not begun." />}
      {unpaid && (
        <p className={css.note}>
          <WithContactLink text={refusalText(unpaid) ?? ''} />
        </p>
      )}
      <ul className={css.packages}>
        {offers.map((offer) => (
          <li key={offer.id} className={offer.has_subscription ? `${css.package} ${css.present}` : css.package}>
            <Heading>{offer.title}</Heading>
            <p className={css.places}>{placesText(offer.max_readers)}</p>
            <Price offer={offer} />
            <p className={css.description}>{offer.description}</p>
            <div className={css.choice}>
              {offer.is_trial ? (
                <Button loading={trial.isPending} onClick={() => void startTrial(offer.id).catch(() => undefined)}>
                  Start free trial
                </Button>
              ) : (
                <Choice offer={offer} isQuiet={hasTrial} />
              )}
            </div>
          </li>
        ))}
      </ul>
      <p className={css.note}>
        Prices are for 12 months and without VAT, which is added in the United Kingdom. You get an invoice and have 30
        days to pay it; after that the account is locked until it is paid.
      </p>
    </>
  );
}

function Price({ offer }: { offer: PackageOffer }) {
  const { amount, unit } = priceText(offer);
  return (
    <p className={css.price}>
      <strong>{amount}</strong> <span>{unit}</span>
    </p>
  );
}

/** `isQuiet`: the free trial is the first thing to do. */
function Choice({ offer, isQuiet }: { offer: PackageOffer; isQuiet: boolean }) {
  const { is_extending, is_upgrading, refusal } = offer.meta;
  const reason = refusalText(offer);
  if (refusal === 'already_subscribed') return <p className={css.current}>Your current package</p>;
  if (refusal === 'invoice_unpaid')
    return offer.has_subscription ? <p className={css.current}>Your current package</p> : null;
  if (reason)
    return (
      <p className={css.refusal}>
        <WithContactLink text={reason} />
      </p>
    );
  const verb = is_extending ? 'Extend' : is_upgrading ? 'Upgrade' : 'Choose';
  return (
    <ButtonLink
      to={paths.fillBillingDetails(offer.id)}
      variant={isQuiet ? 'default' : 'filled'}
      aria-label={`${verb} ${offer.title}`}
    >
      {verb}
    </ButtonLink>
  );
}
