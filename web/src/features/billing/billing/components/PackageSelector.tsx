import { Button } from '../../../../ui/Button.tsx';
import { useNavigate } from '../../../../shared/router.ts';
import type { PackageOffer } from '#contract/calls/billing.ts';
import { paths } from '../../../../paths.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { packagesQuery, useStartTrial } from '../billing.api.ts';
import { periodText, placesText, placesUsedText, priceText, yearlyText } from '../model/package-texts.ts';
import { PackageRefusal } from './PackageRefusal.tsx';
import { Tiles } from '../../../../ui/Tiles.tsx';
import css from './PackageSelector.module.css';

/** The packages on offer, with today's price for the school and a link to choose each. `heading`: the level below the page's own. */
export function PackageSelector({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const schoolId = useSchoolId();
  const { data, error, refetch } = usePrefetchedQuery(packagesQuery(schoolId));
  const trial = useStartTrial(schoolId);
  const navigate = useNavigate();
  const startTrial = async (id: number) => {
    await trial.mutateAsync(id);
    showToast('Your free trial has started');
    await navigate(paths.dashboard());
  };
  if (!data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const offers = data.packages.filter(({ is_trial, meta }) => !is_trial || meta.refusal === null);
  const hasTrial = offers.some(({ is_trial }) => is_trial);
  // Shown once, because no package can be chosen.
  const paid = offers.filter(({ is_trial }) => !is_trial);
  const unpaid = paid.find(({ meta }) => meta.refusal === 'invoice_unpaid');
  return (
    <>
      {trial.error && <ErrorNotice error={trial.error} lost="The trial has not started." />}
      {unpaid && (
        <p className={css.note}>
          <PackageRefusal offer={unpaid} />
        </p>
      )}
      <Tiles minWidth="15rem">
        {offers.map((offer) => (
          <li key={offer.id} className={offer.has_subscription ? `${css.package} ${css.owned}` : css.package}>
            <Heading>{offer.title}</Heading>
            <p className={`sentence block ${css.places}`}>{placesText(offer.max_readers)}</p>
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
      </Tiles>
      <p className={css.note}>
        Prices are for 12 months and without VAT, which is added in the United Kingdom. You get an invoice and have 30
        days to pay it. After that, the account is locked until you pay.
      </p>
    </>
  );
}

/** What is due now, the days covered, what a year costs after them, and the places used. */
function Price({ offer }: { offer: PackageOffer }) {
  const { amount, unit } = priceText(offer);
  const { period, due_yearly, active_pupils } = offer.meta;
  return (
    <>
      <p className={css.price}>
        <strong>{amount}</strong> <span>{unit}</span>
      </p>
      {period && due_yearly && (
        <p className="flat below-s">
          {periodText(period)}, then {yearlyText(due_yearly)}
        </p>
      )}
      {period && active_pupils > 0 && (
        <p className="flat below-s">{placesUsedText(active_pupils, offer.max_readers)} places used</p>
      )}
    </>
  );
}

/** `isQuiet`: the free trial is the primary action. */
function Choice({ offer, isQuiet }: { offer: PackageOffer; isQuiet: boolean }) {
  const { refusal } = offer.meta;
  if (refusal === 'already_subscribed') return <p className={`strong flat ${css.current}`}>Your current package</p>;
  if (refusal === 'invoice_unpaid')
    return offer.has_subscription ? <p className={`strong flat ${css.current}`}>Your current package</p> : null;
  if (refusal)
    return (
      <p className={css.refusal}>
        <PackageRefusal offer={offer} />
      </p>
    );
  const { verb, name } = labelFor(offer);
  return (
    <ButtonLink to={paths.fillBillingDetails(offer.id)} variant={isQuiet ? 'default' : 'filled'} aria-label={name}>
      {verb}
    </ButtonLink>
  );
}

function labelFor({ title, has_subscription, meta: { is_extending, is_upgrading } }: PackageOffer) {
  if (is_extending && !has_subscription) return { verb: 'Change at renewal', name: `Change at renewal to ${title}` };
  const verb = is_extending ? 'Extend' : is_upgrading ? 'Upgrade' : 'Choose';
  return { verb, name: `${verb} ${title}` };
}
