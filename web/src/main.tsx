import './lib/foreign-dom.ts';
import { App } from './app.tsx';
import { begin } from './begin.tsx';

begin(<App />);
