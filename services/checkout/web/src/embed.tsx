import './style/page.css';
