import { App } from './app.tsx';
import { begin } from './begin.tsx';

begin(<App />);
