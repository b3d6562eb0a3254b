import { Link } from '../../../../ui/Link.tsx';
import type { PackageOffer } from '#contract/calls/billing.ts';
import { errorList } from '#contract/errors.ts';
import { paths } from '../../../../paths.ts';
import { CONTACT_US } from '../../../../shared/error-text.ts';

/** Why a package cannot be chosen, with a link to what helps. */
export function PackageRefusal({ offer: { max_readers, meta } }: { offer: PackageOffer }) {
  if (meta.refusal === null) return null;
  if (meta.refusal === 'too_many_pupils') return <TooManyPupils pupils={meta.active_pupils} places={max_readers} />;
  return <WithContactLink text={errorList[meta.refusal].text} />;
}

/** Says that a package is too small, and how to free places. */
export const TooManyPupils = ({ pupils, places }: { pupils: number; places: number }) => (
  <>
    You have {pupils} pupils. This package has {places} places.{' '}
    <Link to={`${paths.userGuideItem('getting-the-most', 'classes-and-pupils')}#pupils-who-leave`}>
      How to archive pupils
    </Link>
    . Archived pupils are erased after 30 days at the latest.
  </>
);

/** A text in which `Contact us for assistance.` links to the contact request. */
const WithContactLink = ({ text }: { text: string }) =>
  text.endsWith(CONTACT_US) ? (
    <>
      {text.slice(0, -CONTACT_US.length)}
      <Link to={paths.renewal()}>{CONTACT_US}</Link>
    </>
  ) : (
    text
  );
