// Only `npm run dev` serves this page, at /__ui; no build contains it.
import '../src/ui/fonts.css';
import '../src/ui/tokens.css';
import '../src/ui/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { galleryQuery } from '../src/gallery/gallery-query.ts';
import { SiteContext } from '../src/lib/use-site.ts';
import { Book } from './book.tsx';
import { GALLERY } from './guest-gallery.tsx';
import { SITE } from './samples.ts';

// The components' links do nothing, because this is the only page.
const { hook, searchHook } = memoryLocation();
document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('a[href^="/"]')) event.preventDefault();
});

// No server answers, so the data of dialogs are there already.
const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
queries.setQueryData(galleryQuery('K7MQ2XWA').queryKey, GALLERY);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <SiteContext value={SITE}>
      <QueryClientProvider client={queries}>
        <Router hook={hook} searchHook={searchHook}>
          <Book />
        </Router>
      </QueryClientProvider>
    </SiteContext>
  </StrictMode>,
);
