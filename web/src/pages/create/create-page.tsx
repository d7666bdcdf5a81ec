import { create, join } from '../../texts.ts';
import { BusinessCard } from '../../ui/business-card.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from '../../ui/prose.module.css';
import { PublicPage } from '../../ui/public-page.tsx';

/** /create: during the beta, events are requested from the operator. */
export default function CreatePage() {
  return (
    <PublicPage>
      <div className={styles.prose}>
        <div>
          <ButtonLink href="/" look="quiet">
            {join.back}
          </ButtonLink>
        </div>
        <h1 tabIndex={-1}>{create.title}</h1>
        <p>
          Feierbild ist in der Beta-Phase. Ein Event können Sie zurzeit nur bei uns anfragen: Rufen Sie an oder schreiben Sie uns, wir
          richten es für Sie ein und schicken Ihnen Code und Zugang.
        </p>
        <Notice kind="error" permanent>
          {create.notice}
        </Notice>
        <BusinessCard />
        <div className={styles.row}>
          <ButtonLink href="/">Zur Startseite</ButtonLink>
        </div>
      </div>
    </PublicPage>
  );
}
