import { useQuery } from '@tanstack/react-query';
import { USER_GUIDE_PDF } from '../paths.ts';
import css from './UserGuideButton.module.css';

/** Downloads the user guide. Hidden while there is none. */
export function UserGuideButton() {
  const { data: isThere } = useQuery({
    queryKey: [USER_GUIDE_PDF],
    queryFn: async ({ signal }) => {
      const answer = await fetch(USER_GUIDE_PDF, { method: 'HEAD', signal });
      return answer.ok && Boolean(answer.headers.get('Content-Type')?.includes('pdf'));
    },
    staleTime: Infinity,
    retry: false,
  });
  if (!isThere) return null;
  return (
    <a href={USER_GUIDE_PDF} download className={css.link}>
      Download the user guide (PDF)
    </a>
  );
}
