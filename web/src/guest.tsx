import './lib/foreign-dom.ts';
import { begin } from './begin.tsx';
import { Guest } from './guest-app.tsx';

begin(<Guest path={window.location.pathname} />);
