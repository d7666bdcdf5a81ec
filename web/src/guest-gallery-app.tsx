import { Failsafe } from './frame.tsx';
import GuestGalleryPage from './pages/guest-gallery/guest-gallery-page.tsx';

/** A document of /galerie/{code}: the guests' gallery alone, as guest-app.tsx is the guests' page. */
export function GuestGalleryApp({ path }: { path: string }) {
  // A link that was encoded on the way has its token behind the code.
  const [code = ''] = (path.split('/')[2] ?? '').split('%');
  return (
    <Failsafe>
      <GuestGalleryPage code={code} />
    </Failsafe>
  );
}
