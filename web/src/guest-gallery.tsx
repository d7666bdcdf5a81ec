import './lib/foreign-dom.ts';
import { begin } from './begin.tsx';
import { GuestGalleryApp } from './guest-gallery-app.tsx';

begin(<GuestGalleryApp path={window.location.pathname} />);
