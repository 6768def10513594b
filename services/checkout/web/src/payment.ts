/* The styles of the page behind a mail's link, which needs no script: no first visit of a bill fetches them. */
import './style/payment.css';
