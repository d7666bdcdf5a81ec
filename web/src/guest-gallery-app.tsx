import { Failsafe } from './frame.tsx';
import GuestGalleryPage from './pages/guest-gallery/guest-gallery-page.tsx';

/** The app of the document /galerie/{code}: the guests' gallery alone, for the same reason as in guest-app.tsx. */
export function GuestGalleryApp({ path }: { path: string }) {
  // A link whose `#` was encoded on the way has `%23` and the token after the code.
  const [code = ''] = (path.split('/')[2] ?? '').split('%');
  return (
    <Failsafe>
      <GuestGalleryPage code={code} />
    </Failsafe>
  );
}
