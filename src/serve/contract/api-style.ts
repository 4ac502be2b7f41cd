/** Additions to Swagger UI's style: more contrast, larger targets, a dark scheme. */
import { FRAME_STYLE } from '../site/frame-style.ts';

/** The style of the reference page, loaded after Swagger UI's own. */
export const API_STYLE = `${FRAME_STYLE}
.swagger-ui .wrapper { padding: 0; }
.swagger-ui .info { margin: 0 0 1rem; }
.swagger-ui .info .title, .swagger-ui .opblock-tag { font-family: var(--letters); }
.swagger-ui .scheme-container { margin: 0; padding: 0; background: none; box-shadow: none; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #556171; }
.swagger-ui .info .url, .swagger-ui .info a { color: var(--link); }
.swagger-ui .btn.authorize { border-color: var(--good); color: var(--good); }
.swagger-ui .btn.authorize svg { fill: var(--good); }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: var(--link); color: var(--ground); text-shadow: none; }
.swagger-ui [class*="json-schema-2020-12-expand-deep-button"], .swagger-ui .parameter__in { color: var(--quiet); }
`;
